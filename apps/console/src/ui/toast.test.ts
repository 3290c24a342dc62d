import { afterEach, describe, expect, it } from 'vitest';
import {
  dismissAction,
  dismissAllToasts,
  dismissErrorToasts,
  dismissToast,
  getActiveToasts,
  subscribeToToasts,
  toast,
} from './toast.ts';

afterEach(dismissAllToasts);

describe('toasts', () => {
  it('keeps every message until it is dismissed, in order', () => {
    const ids = ['one', 'two', 'three', 'four', 'five'].map((title) =>
      toast({ action: title, title, variant: 'destructive' }),
    );
    dismissToast(ids[1] ?? 0);
    expect(getActiveToasts().map((each) => each.title)).toEqual(['one', 'three', 'four', 'five']);
  });
  it('shows one message for each action, the latest', () => {
    const first = toast({
      action: 'create',
      title: 'Error',
      description: 'It rests',
      variant: 'destructive',
    });
    toast({ action: 'invite', title: 'Error', description: 'It rests', variant: 'destructive' });
    expect(toast({ action: 'create', title: 'Created' })).toBe(first);
    expect(
      getActiveToasts().map(({ action, title, variant, renewals }) => [action, title, variant, renewals]),
    ).toEqual([
      ['invite', 'Error', 'destructive', 0],
      ['create', 'Created', 'default', 1],
    ]);
    dismissToast(first);
    expect(toast({ action: 'create', title: 'Created' })).not.toBe(first);
  });
  it('removes the message of one action', () => {
    toast({ action: 'load', title: 'Error', variant: 'destructive' });
    toast({ action: 'create', title: 'Created' });
    dismissAction('load');
    expect(getActiveToasts().map(({ title }) => title)).toEqual(['Created']);
  });
  it('removes errors and keeps everything else', () => {
    toast({ action: 'load', title: 'Error', variant: 'destructive' });
    toast({ action: 'create', title: 'Created' });
    dismissErrorToasts();
    expect(getActiveToasts().map(({ title }) => title)).toEqual(['Created']);
  });
  it('tells listeners of every change until they leave', () => {
    let told = 0;
    const leave = subscribeToToasts(() => (told += 1));
    dismissToast(toast({ action: 'one', title: 'one' }));
    leave();
    toast({ action: 'two', title: 'two' });
    expect(told).toBe(2);
  });
  it('hands out the same list while nothing changes', () => {
    toast({ action: 'one', title: 'one' });
    expect(getActiveToasts()).toBe(getActiveToasts());
    expect(getActiveToasts()[0]?.variant).toBe('default');
  });
});
