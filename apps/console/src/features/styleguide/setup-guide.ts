/** The setup guide of the design system, which *Copy Setup Guide* copies to the clipboard. */

/** @param productName the product name of this instance */
export const setupGuide = (productName: string): string => `# ${productName} Design System: setup guide

Emergency Response Platform Component Library.

## 1. Install

npm install react react-dom @base-ui/react lucide-react clsx class-variance-authority
npm install @fontsource-variable/public-sans
npm install --save-dev tailwindcss @tailwindcss/vite

## 2. Styles

Add the plugin of Tailwind to vite.config.ts:

    import tailwind from '@tailwindcss/vite';
    export default defineConfig({ plugins: [tailwind()] });

Import the design tokens once, before any component:

    @import 'tailwindcss';
    @import './styles/tokens.css';
    @custom-variant dark (&:where([data-theme='dark'], [data-theme='dark'] *));

## 3. Themes

Light is the default. Set data-theme="dark" on <html> before the first paint for the dark theme.
Components use only token names, never raw colors:

    surfaces     bg-background  bg-surface  bg-raised  bg-subtle
    text         text-foreground  text-muted
    actions      bg-primary  text-primary-foreground
    failures     bg-destructive  text-destructive  bg-destructive-subtle
    successes    bg-success  text-success  bg-success-subtle
    lines        border-border (surfaces)  border-input (controls, 3:1)
    focus        outline 2px var(--ring), offset 2px, on :focus-visible

## 4. Components

    import { Button } from './ui/button.tsx';
    import { Field } from './ui/field.tsx';
    import { Input } from './ui/input.tsx';
    import { Toaster } from './ui/toaster.tsx';
    import { toast } from './ui/toast.ts';

    <Field
      label="Account Name"
      error={errors.name}
      render={(control) => <Input {...control} name="name" />}
    />
    <Button type="submit" pending={saving} pendingLabel="Creating...">Create Account</Button>

    // Once, as the last child of the root:
    <Toaster />
    // From anywhere:
    toast({ action: 'create-account', title: 'Account created', description: 'Vail Ski Patrol has been successfully created.' });
    toast({ action: 'create-account', title: 'Error creating account', description: message, variant: 'destructive' });

## 5. Rules

- One primary button for each view, at the top right.
- Table rows are 44 px high; long names truncate and can be read in full in the side panel.
- A status is a text in a badge; the color only repeats it.
- Loading shows skeleton rows, an error shows a Retry button, an empty list names the next step.
- Every control works by keyboard, has a visible name and a target size of at least 24 px.
- Transitions take 100 to 200 ms, change opacity and position only, and respect prefers-reduced-motion.
- No style elements or style attributes in HTML: the content security policy is style-src 'self'.
`;
