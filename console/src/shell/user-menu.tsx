/** Who is signed in, with the theme and the way out. */
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useDisplayName, useUser } from '../session.tsx';
import { signOut } from '../sign-out.ts';
import { themeChoiceFrom } from '../theme.ts';
import { chooseTheme, useThemeChoice } from '../theme-store.ts';
import { Avatar } from '../ui/avatar.tsx';
import { cx } from '../ui/cx.ts';
import { Menu, MenuGroup, MenuItem, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '../ui/menu.tsx';
import { Spinner } from '../ui/spinner.tsx';

export function UserMenu({ expanded }: { expanded: boolean }): React.JSX.Element {
  const name = useDisplayName() ?? 'Loading...';
  const email = useUser()?.email;
  const theme = useThemeChoice();
  const [leaving, setLeaving] = useState(false);
  const leave = (): void => {
    setLeaving(true);
    void signOut();
  };
  return (
    <Menu
      side="top"
      className="w-60"
      trigger={
        <button
          type="button"
          className={cx(
            'flex h-11 w-full items-center gap-2.5 rounded-md text-left text-sm -outline-offset-2',
            'hover:bg-sidebar-hover data-popup-open:bg-sidebar-hover',
            expanded ? 'px-2' : 'justify-center',
          )}
        >
          <span aria-hidden className="contents">
            {leaving ? (
              <Spinner label="" className="mx-1.5 size-4 text-current" />
            ) : (
              <Avatar name={name} className="size-7 bg-sidebar-active text-2xs text-sidebar-foreground" />
            )}
          </span>
          <span className={expanded ? 'min-w-0 flex-1 truncate' : 'sr-only'} dir="auto" title={name}>
            {name}
          </span>
          {expanded && <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-sidebar-muted" />}
        </button>
      }
    >
      {email !== undefined && (
        <>
          <MenuGroup label={`Signed in as ${email}`}>{null}</MenuGroup>
          <MenuSeparator />
        </>
      )}
      <MenuGroup label="Theme">
        <MenuRadioGroup value={theme} onValueChange={(value) => chooseTheme(themeChoiceFrom(value))}>
          <MenuRadioItem value="light">
            <Sun aria-hidden /> Light
          </MenuRadioItem>
          <MenuRadioItem value="dark">
            <Moon aria-hidden /> Dark
          </MenuRadioItem>
          <MenuRadioItem value="system">
            <Monitor aria-hidden /> System
          </MenuRadioItem>
        </MenuRadioGroup>
      </MenuGroup>
      <MenuSeparator />
      <MenuItem onSelect={leave} disabled={leaving}>
        <LogOut aria-hidden /> Sign Out
      </MenuItem>
    </Menu>
  );
}
