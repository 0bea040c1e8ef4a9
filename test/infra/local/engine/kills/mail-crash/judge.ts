import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A message that the server took: it has said so, or would have. */
export type Taken = { readonly to: string; readonly messageId: string; readonly link: string };

/** A mail server that takes everything and forgets nothing, outside of the engine that is killed. */
export async function startJudge() {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData: async (stream, { envelope }, answer) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      } catch (error) {
        return answer(error as Error); // Cut off by a kill: nothing was taken.
      }
      const { messageId = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks));
      const [link = ''] = /https?:\/\/\S+\?ticket=\S+/.exec(text) ?? [];
      taken.push({ to: envelope.rcptTo.map(({ address }) => address).join(), messageId, link });
      answer();
    },
  });
  // Connections of a killed engine.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    taken,
    env: { Mail__Smtp__Server: `smtp://127.0.0.1:${port}`, Mail__Smtp__From: 'no-reply@sandbox.example' },
    stop: () => server.close(),
  };
}

export type Judge = Awaited<ReturnType<typeof startJudge>>;
