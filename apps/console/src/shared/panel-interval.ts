/** How often the record of an open panel is read again, so that it shows what other users change. */

/** Milliseconds between two reads. TanStack Query reads only while the page is visible. */
export const panelIntervalMs = 10_000;
