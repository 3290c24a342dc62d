/** The head of a printed list, which has no controls: product, filter, order and time. Hidden on screens. */
import { serverNow } from '../api/server-clock.ts';
import { runtimeConfig } from '../api/backend.ts';
import { formatExactTime, timeZoneName } from '../ui/format-time.ts';
import { useIsPrinting } from '../ui/use-is-printing.ts';

interface PrintHeadProps {
  /** What the list contains: name and value of each filter and of the order. Empty values are left out. */
  facts: readonly (readonly [name: string, value: string | undefined])[];
}

export function PrintHead({ facts }: PrintHeadProps): React.JSX.Element {
  // A new render at each print states its time.
  useIsPrinting();
  const shown = [...facts, ['Printed', `${formatExactTime(serverNow().toISOString())} (${timeZoneName()})`]];
  return (
    <dl data-print-head className="hidden flex-wrap gap-x-4 text-sm print:flex">
      <dt className="sr-only">Product</dt>
      <dd className="w-full font-semibold">{runtimeConfig.productName}</dd>
      {shown.map(
        ([name, value]) =>
          value !== undefined &&
          value !== '' && (
            <div key={name} className="flex gap-1">
              <dt>{name}:</dt>
              <dd className="wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
