/** Search params of the security screen: the open dialog. */
import { optionParam } from '../../shared/url-state.ts';

const additions = ['app', 'key', 'phone', 'passkey'] as const;
export type AddDialog = (typeof additions)[number];

export const securitySearchParams = {
  add: optionParam(additions),
  /** The dialog that changes the name. */
  edit: optionParam(['name']),
};
