/**
 * Encrypts the data of an OAuth flow for `auth.flow_state.sealed`: before the callback the secrets of the flow, after it the
 * tokens of the provider, which the client gets with its session.
 */
import type { Encryptor } from '../keys/encryption.ts';

const encryptionContext = (flowId: string): string => `flow:${flowId}`;

export const encryptFlowData = (keys: Encryptor, flowId: string, data: object): Uint8Array =>
  keys.encrypt(Buffer.from(JSON.stringify(data)), encryptionContext(flowId));

/** @throws DecryptionError */
export const decryptFlowData = (
  keys: Encryptor,
  { id, sealed }: { readonly id: string; readonly sealed: Uint8Array },
): unknown => JSON.parse(Buffer.from(keys.decrypt(sealed, encryptionContext(id))).toString());
