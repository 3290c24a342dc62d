/** The clock of all relative times. */
let readTimeMs = Date.now;

/** Sets the clock. By default it is that of the device. */
export const setClock = (read: () => number): void => {
  readTimeMs = read;
};

export const clockTimeMs = (): number => readTimeMs();
