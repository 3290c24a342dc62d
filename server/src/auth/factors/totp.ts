/** TOTP (RFC 6238): SHA-1, 6 digits, 30 s, one step of tolerance, no code twice. */
import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';
import type { Sealer } from '../../keys/seal.ts';

const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

export interface TotpEnrolment {
  readonly sealedSecret: Uint8Array;
  /** What the client shows; the secret is never told again. */
  readonly shown: { readonly qr_code: string; readonly secret: string; readonly uri: string };
}

const sealContext = (factorId: string): string => `totp:${factorId}`;

export function enrolTotp(sealer: Sealer, factorId: string, issuer: string, label: string): TotpEnrolment {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ ...shape, issuer, label, secret }).toString();
  return {
    sealedSecret: sealer.seal(secret.bytes, sealContext(factorId)),
    shown: { qr_code: qrImage(uri), secret: secret.base32, uri },
  };
}

/** An SVG document that may stand in a data address as it is: no `#`, no `%`. */
function qrImage(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  const size = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="white" d="M0 0h${size}v${size}H0z"/><path fill="black" d="${path}"/></svg>`
  );
}

/** The time step that a code belongs to, or null when it is wrong. */
export function totpStep(
  sealer: Sealer,
  factor: { id: string; secret: Uint8Array },
  code: string,
  now: Date,
): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const bytes = Buffer.from(sealer.unseal(factor.secret, sealContext(factor.id)));
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer });
  const timestamp = now.getTime();
  const delta = new TOTP({ ...shape, secret }).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / shape.period) + delta;
}
