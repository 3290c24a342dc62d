/** Text messages leave by whatever an operator plugs in; none is built in. */
export interface SmsMessage {
  /** E.164 without the plus sign. */
  readonly to: string;
  readonly text: string;
  readonly channel: 'sms' | 'whatsapp';
}

export interface SmsSender {
  /** @returns the provider's message id. @throws Error when the provider refuses. */
  send(message: SmsMessage): Promise<string>;
}
