/** Types of the `dns2` functions that the tests use. The package contains no types. */
declare module 'dns2' {
  interface Question {
    readonly name: string;
    readonly type: number;
  }
  interface Packet {
    readonly header: { rcode: number };
    readonly questions: readonly Question[];
    readonly answers: { name: string; type: number; class: number; ttl: number; data: string | string[] }[];
  }
  interface Server {
    listen(options: { udp: { port: number; address: string } }): Promise<{ udp: { port: number } }>;
    close(): Promise<void>;
  }
  const dns2: {
    createServer(options: {
      udp: boolean;
      handle: (request: Packet, send: (response: Packet) => void) => void;
    }): Server;
    readonly Packet: {
      createResponseFromRequest(request: Packet): Packet;
      readonly TYPE: { readonly TXT: number };
      readonly CLASS: { readonly IN: number };
    };
  };
  export default dns2;
}
