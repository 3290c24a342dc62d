import { describe, expect, it } from 'vitest';
import { foldSpellings, foldText } from './fold-text.ts';

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
    ['O’Neill ʼn ׳', "o'neill 'n '"],
    ['Saint–Denis ‐‑—−־', 'saint-denis -----'],
    ['S\u00adk\u200di\ufeff\u{e0041} \u2764\ufe0f', 'ski \u2764'],
    ['א\u200fב', 'אב'],
  ])('converts %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('keeps the marks of scripts in which they are letters', () => {
    expect(foldText('が')).not.toBe(foldText('か'));
    expect(foldText('कि')).not.toBe(foldText('क'));
  });
});

describe('foldSpellings', () => {
  it.each([
    ['Muller', ['muller']],
    ['Mueller', ['mueller']],
    ['MÜLLER', ['muller', 'mueller']],
    ['Mu\u200b\u0308ller', ['muller', 'mueller']],
    ['ǖ', ['u', 'ue']],
    ['Århus', ['arhus', 'aarhus']],
    ['Øre', ['ore', 'oere']],
    ['Ærø', ['aero', 'aeroe']],
    ['Straße', ['strasse']],
    ['ё ï ẍ', ['е i x']],
  ])('returns the spellings of %s', (text, spellings) => {
    expect(foldSpellings(text)).toEqual(spellings);
  });
});
