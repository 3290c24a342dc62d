/** Calls functions of a test service. */
import type { TestService } from './test-service.ts';

/** @returns status and parsed body */
export type CallFunction = (name: string, body: unknown, token: string) => Promise<[number, unknown]>;

export const createFunctionCaller =
  (test: Pick<TestService, 'request'>): CallFunction =>
  async (name, body, token) => {
    const response = await test.request(`/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
