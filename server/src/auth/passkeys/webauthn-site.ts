/** Who we are towards authenticators: the host that people see, and nothing else. */
import type { Config } from '../../config.ts';

export const relyingParty = (config: Config): { id: string; name: string; origin: string } => {
  const site = new URL(config.SITE_URL);
  return { id: site.hostname, name: config.PRODUCT_NAME, origin: site.origin };
};
