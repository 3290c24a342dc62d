/** Preloaded into a replica: moves its clock by CLOCK_AHEAD_SECONDS, as on a machine whose clock is wrong. */
const aheadMs = Number(process.env['CLOCK_AHEAD_SECONDS']) * 1000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [RealDate.now() + aheadMs] : values));
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};
