/** The logo of the product. Decorative: always used with the product name. */
interface LogoProps {
  className?: string;
}

export function Logo({ className }: LogoProps): React.JSX.Element {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false" className={className}>
      <path
        d="M11.5 8.5a4.5 4.5 0 0 1 9 0"
        className="stroke-current"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M9 9.5h14" className="stroke-current" strokeWidth="2.2" strokeLinecap="round" />
      <path
        d="M10.5 12.5h11l1.6 11a1.6 1.6 0 0 1-1.6 1.8H10.5a1.6 1.6 0 0 1-1.6-1.8z"
        className="stroke-current"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path
        d="M16 14.2c2.3 2.2 3.3 3.9 3.3 5.5a3.3 3.3 0 0 1-6.6 0c0-1.6 1-3.3 3.3-5.5z"
        className="fill-accent"
      />
      <path d="M8.5 28.2h15" className="stroke-current" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
