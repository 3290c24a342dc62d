/** Page layout of the sign-in document. */
import type { ReactNode, Ref } from 'react';
import { DemonstrationBanner } from '../../shared/demonstration-banner.tsx';
import { Logo } from '../../ui/logo.tsx';

interface AuthFrameProps {
  productName: string;
  children: ReactNode;
}

export function AuthFrame({ productName, children }: AuthFrameProps): React.JSX.Element {
  return (
    <>
      <div className="flex min-h-svh flex-col">
        <DemonstrationBanner />
        <div className="grid grow lg:grid-cols-[minmax(20rem,26rem)_1fr]">
          <header className="lantern-glow hidden bg-sidebar p-10 text-sidebar-foreground lg:flex lg:flex-col lg:justify-between">
            <p className="flex items-center gap-3 text-lg font-semibold">
              <Logo className="size-9 shrink-0" />
              <span className="min-w-0 truncate">{productName}</span>
            </p>
            <Logo className="size-36 self-center text-sidebar-muted" />
            <p className="max-w-xs text-sm leading-6 text-sidebar-muted">
              Accounts, administrators and notifications for emergency-response organizations.
            </p>
          </header>
          <main className="flex min-w-0 flex-col items-center justify-center p-5 sm:p-8">
            <p className="mb-8 flex max-w-full items-center gap-2.5 text-base font-semibold lg:hidden">
              <Logo className="size-8 shrink-0 text-primary" />
              <span className="min-w-0 truncate">{productName}</span>
            </p>
            <div className="w-full max-w-sm">{children}</div>
          </main>
        </div>
      </div>
      {/* Lets the user scroll content out from under a toast. In a large window toasts cover no content. */}
      <div aria-hidden className="h-(--toaster-room) [@media(width>=64rem)_and_(height>=44rem)]:hidden" />
    </>
  );
}

interface AuthHeadingProps {
  title: string;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function AuthHeading({ title, headingRef, children }: AuthHeadingProps): React.JSX.Element {
  return (
    <div className="mb-6 grid gap-1.5">
      <h1 ref={headingRef} tabIndex={-1} className="text-2xl leading-8 font-semibold tracking-tight">
        {title}
      </h1>
      <p className="text-sm text-muted">{children}</p>
    </div>
  );
}
