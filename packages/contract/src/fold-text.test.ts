import { describe, expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

describe('foldText', () => {
  it.each([
    ['Zürich', 'zurich'],
    ['ZÜRICH', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Ærø', 'aero'],
    ['Œuvre', 'oeuvre'],
    ['ŁÓDŹ', 'lodz'],
    ['Đà Nẵng', 'da nang'],
    ['Þingvellir', 'thingvellir'],
    ['DİYARBAKIR', 'diyarbakir'],
    ['Diyarbakır', 'diyarbakir'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['ЁЛКИ й', 'елки и'],
    ['ＡＢＣ ﬁ ①', 'abc fi 1'],
    ['A-1 (b)', 'a-1 (b)'],
  ])('converts %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('keeps the marks of scripts in which they are letters', () => {
    expect(foldText('が')).not.toBe(foldText('か'));
    expect(foldText('कि')).not.toBe(foldText('क'));
  });
});
