/**
 * A software security key: ES256, by default without attestation (WebAuthn level 3, sections 6.1 and 6.5).
 */
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

type Cbor = Parameters<typeof isoCBOR.encode>[0];

export interface Attestation {
  readonly format: string;
  readonly statement: Map<string, Cbor>;
}

const noAttestation: Attestation = { format: 'none', statement: new Map() };

export class SoftwareAuthenticator {
  readonly #privateKey: KeyObject;
  readonly #publicJwk: { x?: string; y?: string };
  readonly #id: Buffer;
  readonly #origin: string;
  #counter = 0;
  /** False for a key that only checks that a person is present. */
  verifiesUser = true;

  constructor(origin: string, idBytes = 32) {
    this.#id = randomBytes(idBytes);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicJwk = publicKey.export({ format: 'jwk' });
    this.#origin = origin;
  }

  #clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, attested: Buffer | null): Buffer {
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    // Bit 0: user present; bit 2: user verified; bit 6: credential data follows.
    const flags = Buffer.of((attested ? 0x41 : 0x01) | (this.verifiesUser ? 0x04 : 0));
    return Buffer.concat([sha256(rpId), flags, counter, attested ?? Buffer.alloc(0)]);
  }

  /** Returns the response to creation options, in the serialization of a browser. */
  create(
    options: { challenge: string; rp: { id?: string } },
    { format, statement }: Attestation = noAttestation,
  ): Record<string, unknown> {
    const coordinate = (text = ''): Buffer => Buffer.from(text, 'base64url');
    const key = isoCBOR.encode(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(this.#publicJwk.x)],
        [-3, coordinate(this.#publicJwk.y)],
      ]),
    );
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.of(this.#id.length >> 8, this.#id.length & 255),
      this.#id,
      key,
    ]);
    const authData = this.#authenticatorData(options.rp.id ?? '', attested);
    const attestation = isoCBOR.encode(
      new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    );
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns the response to request options. */
  get(options: { challenge: string; rpId?: string }): Record<string, unknown> {
    const clientData = this.#clientData('webauthn.get', options.challenge);
    const authData = this.#authenticatorData(options.rpId ?? '', null);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#privateKey);
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #credential(response: Record<string, unknown>): Record<string, unknown> {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
