/**
 * Styles of emails, in the colors of the console. Inline styles contain the light theme, because some mail programs
 * remove the style element; `darkMode` overrides them in mail programs that support dark mode.
 */

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Breaks long names and URLs, which would otherwise widen the email. */
const breaking = 'overflow-wrap:anywhere;word-break:break-word';

export const styles = {
  page: 'margin:0;padding:0;background:#f5f7f9',
  preview:
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#f5f7f9;mso-hide:all',
  card: 'max-width:560px;background:#ffffff;border:1px solid #dde3ea;border-radius:8px;border-collapse:separate;table-layout:fixed',
  brand: `${font};font-size:15px;line-height:20px;font-weight:600;letter-spacing:0.2px;color:#dfe7f1;background:#14243a;border-bottom:3px solid #f3b03f;border-radius:7px 7px 0 0;padding:16px 32px;${breaking}`,
  content: `padding:32px 32px 24px;${breaking}`,
  heading: `${font};font-size:22px;line-height:30px;font-weight:600;color:#17212f;margin:0 0 20px`,
  body: `${font};font-size:16px;line-height:24px;color:#17212f;margin:0 0 16px`,
  quote: `${font};font-size:16px;line-height:24px;color:#17212f;margin:0`,
  quoteCell: `border-left:3px solid #dde3ea;padding:0 0 0 12px;${breaking}`,
  small: `${font};font-size:13px;line-height:20px;color:#556173;margin:0 0 8px`,
  address: `${font};font-size:13px;line-height:20px;color:#17212f;margin:0 0 24px;word-break:break-all`,
  // Outlook renders emails with Word, which ignores the padding of the link and uses that of the cell.
  button: 'border-radius:6px;background:#1f4068;mso-padding-alt:14px 28px',
  buttonText: `${font};display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none`,
  code: 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:36px;letter-spacing:6px;font-weight:600;color:#17212f;background:#edf1f5;border-radius:6px;padding:16px;text-align:center',
  rule: 'border-top:1px solid #dde3ea;font-size:1px;line-height:1px;height:1px;padding:0',
} as const;

export const darkMode = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #0e141c !important; }
    .card { background: #1a2432 !important; border-color: #273446 !important; }
    .text { color: #e6ecf4 !important; }
    .small { color: #9dabbd !important; }
    .button { background: #8fb8ea !important; }
    .button a { color: #0b1a2c !important; }
    .code { background: #0e141c !important; color: #e6ecf4 !important; }
    .rule { border-color: #273446 !important; }
  }
  @media (max-width: 480px) {
    .side { padding-left: 20px !important; padding-right: 20px !important; }
  }`;
