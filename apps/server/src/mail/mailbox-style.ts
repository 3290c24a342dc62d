/** Style sheet of the mailbox pages, served separately because their content security policy blocks inline styles. */
export const mailboxStyle = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --line: #d1d5db; --text: #111827; --dim: #4b5563; --link: #1d4ed8; }
@media (prefers-color-scheme: dark) {
  :root { --page: #111827; --card: #1f2937; --line: #374151; --text: #f3f4f6; --dim: #9ca3af; --link: #93c5fd; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header { padding-bottom: 0; }
h1 { font-size: 1.375rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .75rem; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.dim { color: var(--dim); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-wrap: anywhere; }
ul.mails { list-style: none; margin: 1rem 0 0; padding: 0; display: grid; gap: .5rem; }
ul.mails a { display: grid; gap: .125rem; text-decoration: none; color: inherit; }
ul.mails a:hover strong { text-decoration: underline; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 38rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--page); }
pre { margin: 0 0 .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .875rem/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin-bottom: 1rem; }
`;
