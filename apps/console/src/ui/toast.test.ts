import { afterEach, describe, expect, it } from 'vitest';
import {
  dismissAction,
  dismissAllToasts,
  dismissErrorToasts,
  dismissToast,
  getActiveToasts,
  selectVisible,
  subscribeToToasts,
  setToastProgress,
  toast,
} from './toast.ts';

afterEach(dismissAllToasts);

describe('toasts', () => {
  it('are kept in order until they are dismissed', () => {
    const ids = ['one', 'two', 'three', 'four', 'five'].map((title) =>
      toast({ action: title, title, variant: 'destructive' }),
    );
    dismissToast(ids[1] ?? 0);
    expect(getActiveToasts().map((each) => each.title)).toEqual(['one', 'three', 'four', 'five']);
  });
  it.each<[string, string, string]>([
    ['up to three', 'E1 S2 S3', 'E1 S2 S3'],
    ['the newest error and older successes', 'S1 S2 E3 E4', 'S1 S2 E4'],
    ['a success while newer errors wait', 'S1 E2 E3 E4 E5', 'S1 E4 E5'],
    ['the newest of four successes', 'S1 S2 S3 S4', 'S2 S3 S4'],
    ['the newest notice and successes', 'S1 S2 S3 N4', 'S2 S3 N4'],
  ])('show %s', (_name, all, expected) => {
    for (const title of all.split(' '))
      toast({
        action: title,
        title,
        variant: title.startsWith('E') ? 'destructive' : 'default',
        persistent: title.startsWith('N'),
      });
    const visible = selectVisible(getActiveToasts());
    const titles = getActiveToasts().filter((each) => visible.has(each));
    expect(titles.map(({ title }) => title).join(' ')).toBe(expected);
  });
  it('change their progress without another announcement, until they are replaced', () => {
    const id = toast({ action: 'export', title: 'Exporting...', persistent: true });
    toast({ action: 'invite', title: 'Invited' });
    setToastProgress('export', '1 MB');
    const shown = getActiveToasts().find((each) => each.id === id);
    expect([shown?.progress, shown?.replaceCount]).toEqual(['1 MB', 0]);
    toast({ action: 'export', title: 'Exported' });
    expect(getActiveToasts().at(-1)?.progress).toBeUndefined();
  });
  it('replace an earlier toast of the same action', () => {
    const first = toast({
      action: 'create',
      title: 'Error',
      description: 'It rests',
      variant: 'destructive',
    });
    toast({ action: 'invite', title: 'Error', description: 'It rests', variant: 'destructive' });
    expect(toast({ action: 'create', title: 'Created' })).toBe(first);
    expect(
      getActiveToasts().map(({ action, title, variant, replaceCount }) => [
        action,
        title,
        variant,
        replaceCount,
      ]),
    ).toEqual([
      ['invite', 'Error', 'destructive', 0],
      ['create', 'Created', 'default', 1],
    ]);
    dismissToast(first);
    expect(toast({ action: 'create', title: 'Created' })).not.toBe(first);
  });
  it('can be removed by action', () => {
    toast({ action: 'load', title: 'Error', variant: 'destructive' });
    toast({ action: 'create', title: 'Created' });
    dismissAction('load');
    expect(getActiveToasts().map(({ title }) => title)).toEqual(['Created']);
  });
  it('can be removed if they are errors', () => {
    toast({ action: 'load', title: 'Error', variant: 'destructive' });
    toast({ action: 'create', title: 'Created' });
    dismissErrorToasts();
    expect(getActiveToasts().map(({ title }) => title)).toEqual(['Created']);
  });
  it('notify listeners of every change until they unsubscribe', () => {
    let calls = 0;
    const unsubscribe = subscribeToToasts(() => (calls += 1));
    dismissToast(toast({ action: 'one', title: 'one' }));
    unsubscribe();
    toast({ action: 'two', title: 'two' });
    expect(calls).toBe(2);
  });
  it('are returned as the same array until a change', () => {
    toast({ action: 'one', title: 'one' });
    expect(getActiveToasts()).toBe(getActiveToasts());
    expect(getActiveToasts()[0]?.variant).toBe('default');
  });
});
