/** Items of the user menu. Its code is loaded on demand (`user-menu.tsx`). */
import { Link } from '@tanstack/react-router';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import type { ReactElement } from 'react';
import type { SignOutScope } from '../../session/sign-out.ts';
import { useUser } from '../../session/use-session.tsx';
import { parseThemePreference } from '../../ui/theme.ts';
import { setTheme, useThemePreference } from '../../ui/theme-store.ts';
import {
  Menu,
  MenuGroup,
  MenuItem,
  MenuLinkItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
} from '../../ui/menu.tsx';
import { useUserMenuEntries } from '../navigation.ts';

interface UserMenuListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement;
  signingOut: boolean;
  onSignOut: (scope: SignOutScope) => void;
  onNavigate: (() => void) | undefined;
}

export function UserMenuList({
  open,
  onOpenChange,
  trigger,
  signingOut,
  onSignOut,
  onNavigate,
}: UserMenuListProps): React.JSX.Element {
  const email = useUser()?.email;
  const theme = useThemePreference();
  const entries = useUserMenuEntries();
  return (
    <Menu side="top" className="w-60" open={open} onOpenChange={onOpenChange} trigger={trigger}>
      {email !== undefined && (
        <>
          <MenuGroup
            label={
              <>
                Signed in as <bdi translate="no">{email}</bdi>
              </>
            }
          >
            {null}
          </MenuGroup>
          <MenuSeparator />
        </>
      )}
      <MenuGroup label="Theme">
        <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(parseThemePreference(value))}>
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
      {entries.map(({ to, label, icon: Icon }) => (
        <MenuLinkItem key={to} render={<Link to={to} onClick={onNavigate} />}>
          <Icon aria-hidden /> {label}
        </MenuLinkItem>
      ))}
      <MenuItem
        onSelect={() => onSignOut('local')}
        disabled={signingOut}
        description="Keeps your sessions on other devices"
      >
        <LogOut aria-hidden /> End This Session
      </MenuItem>
      <MenuItem
        onSelect={() => onSignOut('global')}
        disabled={signingOut}
        description="Ends your sessions on all devices"
      >
        <LogOut aria-hidden /> Sign Out
      </MenuItem>
    </Menu>
  );
}
