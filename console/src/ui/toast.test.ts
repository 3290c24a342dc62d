import { afterEach, describe, expect, it } from 'vitest';
import { dismissAllToasts, dismissToast, raisedToasts, subscribeToToasts, toast } from './toast.ts';

afterEach(dismissAllToasts);

describe('toasts', () => {
  it('keeps every message until it is dismissed, in order', () => {
    const ids = ['one', 'two', 'three', 'four', 'five'].map((title) =>
      toast({ title, variant: 'destructive' }),
    );
    dismissToast(ids[1] ?? 0);
    expect(raisedToasts().map((each) => each.title)).toEqual(['one', 'three', 'four', 'five']);
  });
  it('renews a message that is still there instead of stacking it upon itself', () => {
    const first = toast({ title: 'Error', description: 'It rests', variant: 'destructive' });
    toast({ title: 'Error', description: 'It rests' });
    toast({ title: 'Error', description: 'Another', variant: 'destructive' });
    expect(toast({ title: 'Error', description: 'It rests', variant: 'destructive' })).toBe(first);
    expect(
      raisedToasts().map(({ description, variant, renewals }) => [description, variant, renewals]),
    ).toEqual([
      ['It rests', 'default', 0],
      ['Another', 'destructive', 0],
      ['It rests', 'destructive', 1],
    ]);
    dismissToast(first);
    expect(toast({ title: 'Error', description: 'It rests', variant: 'destructive' })).not.toBe(first);
  });
  it('tells listeners of every change until they leave', () => {
    let told = 0;
    const leave = subscribeToToasts(() => (told += 1));
    dismissToast(toast({ title: 'one' }));
    leave();
    toast({ title: 'two' });
    expect(told).toBe(2);
  });
  it('hands out the same list while nothing changes', () => {
    toast({ title: 'one' });
    expect(raisedToasts()).toBe(raisedToasts());
    expect(raisedToasts()[0]?.variant).toBe('default');
  });
});
