/** Shows the email address that is used for a typed one, if the service converts it. */
import { useEffect, useState } from 'react';

/**
 * Returns '' if the typed address is not valid or is used as it is. Letter case does not count. The rule is loaded on demand,
 * because few addresses need it.
 */
const findUsedAddress = async (typed: string): Promise<string> => {
  if (!/[^\u0000-\u007f]/.test(typed)) return '';
  const { isEmail, normalizeEmail } = await import('@lanternrock/contract/email');
  const email = normalizeEmail(typed);
  return isEmail(email) ? email : '';
};

/** Help text of an email field. Always rendered, because screen readers announce changes of an existing live region only. */
export function UsedAddress({ typed }: { typed: string }): React.JSX.Element {
  const [used, setUsed] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const show = (address: string): void => {
      if (isCurrent) setUsed(address);
    };
    // Without the rule, for example offline, the service still applies it.
    findUsedAddress(typed).then(show, () => show(''));
    return () => {
      isCurrent = false;
    };
  }, [typed]);
  return (
    <span role="status" className="wrap-anywhere">
      {used !== '' && (
        <>
          This address is used as <bdi translate="no">{used}</bdi>.
        </>
      )}
    </span>
  );
}
