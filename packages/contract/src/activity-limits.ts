/** Limits of the groups of `list-activity`. Without a schema library, because the initial bundle of the console can contain them. */

/** Maximum number of `further` entries of a group. `list-activity` with `group` returns all. */
export const maxFurtherEntries = 10;

/** `count` of a group is at most this number, so that the work for a page has a bound. */
export const maxGroupCount = 1000;
