/** Interface of the text message provider. The service has no built-in one. */
export interface SmsMessage {
  /** E.164 without the plus sign. */
  readonly to: string;
  readonly text: string;
  readonly channel: 'sms' | 'whatsapp';
}

export interface SmsSender {
  /**
   * Sends a text message.
   *
   * @returns the provider's message ID
   * @throws Error if the provider rejects the message
   */
  send(message: SmsMessage): Promise<string>;
}
