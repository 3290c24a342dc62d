/** Demos of dialog, dropdown, popover, tooltip and toasts. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { toast } from '../../ui/toast.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { DemoSection, DemoRow } from './demo-section.tsx';

export function DialogDemo(): React.JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <DemoSection title="Dialog" description="Moves the focus in and restores it on close.">
      <Button variant="outline" onClick={() => setOpen(true)}>
        Open Dialog
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Rename Team"
        description="This is a demonstration. Nothing is saved."
      >
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            setOpen(false);
          }}
        >
          <Field
            label="New Name"
            render={(control) => <Input {...control} autoComplete="off" defaultValue="Ski Patrol North" />}
          />
          <DialogActions>
            <Button variant="outline" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button type="submit">Rename Team</Button>
          </DialogActions>
        </form>
      </Dialog>
    </DemoSection>
  );
}

export function DropdownDemo(): React.JSX.Element {
  const [last, setLast] = useState('none');
  return (
    <DemoSection title="Dropdown" description="Actions in a menu.">
      <DemoRow>
        <Menu
          trigger={
            <Button variant="outline">
              Open Menu
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          <MenuItem onSelect={() => setLast('Call Team')}>Call Team</MenuItem>
          <MenuItem onSelect={() => setLast('Send Position')}>Send Position</MenuItem>
          <MenuSeparator />
          <MenuItem onSelect={() => setLast('Release')}>Release</MenuItem>
        </Menu>
        <output className="text-sm text-muted">Selected: {last}</output>
      </DemoRow>
    </DemoSection>
  );
}

export function PopoverDemo(): React.JSX.Element {
  return (
    <DemoSection title="Popover" description="A small panel next to its button.">
      <Popover
        trigger={<Button variant="outline">Open Popover</Button>}
        title="On duty"
        description="Ridge 2, Ridge 5 and the summit station."
      >
        <Field
          label="Find a Team"
          render={(control) => <Input {...control} autoComplete="off" placeholder="Call sign" />}
        />
      </Popover>
    </DemoSection>
  );
}

export function TooltipDemo(): React.JSX.Element {
  return (
    <DemoSection title="Tooltip" description="Shown on hover and on focus. Escape hides it.">
      <Tooltip content="Acknowledges every open page of your team">
        <Button variant="outline">Hover or Focus</Button>
      </Tooltip>
    </DemoSection>
  );
}

export function ToastsDemo(): React.JSX.Element {
  return (
    <DemoSection title="Toasts" description="Successes close automatically, errors stay until dismissed.">
      <DemoRow>
        <Button
          variant="outline"
          onClick={() =>
            toast({ action: 'notify-team', title: 'Team notified', description: 'Ridge 2 has been paged.' })
          }
        >
          Show Toast
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            toast({
              action: 'notify-team-by-relay',
              title: 'Team not notified',
              description: 'The relay did not respond. Try again.',
              variant: 'destructive',
            })
          }
        >
          Show Destructive Toast
        </Button>
      </DemoRow>
    </DemoSection>
  );
}
