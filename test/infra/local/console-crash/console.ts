import { setTimeout as pause } from 'node:timers/promises';

type Fields = Readonly<Record<string, string>>;

/** The console of a service for the sandbox's owner, as a browser without scripts visits it: pages and their forms. */
export async function enterConsole(url: string, service: 'documents' | 'credentials') {
  const entered = await fetch(`${url}/${service}/login/sandbox`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, accept: 'text/html' },
    body: new URLSearchParams(),
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.replace(/;.*/, ''))
    .join('; ');
  if (!cookie.includes('sinete-member=')) throw new Error(`The log-in was answered ${entered.status}.`);
  const headers = { cookie, accept: 'text/html', 'accept-language': 'en' };

  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`${url}/${service}/${path}`, { headers });
    if (answer.ok) return answer.text();
    if (answer.status !== 503) throw new Error(`${path} was answered ${answer.status}.`);
    // A page that is busy says when to come again.
    await pause(1000 * Number(answer.headers.get('retry-after')));
    return read(path);
  };
  return {
    /** The text of a page or a file. */
    read,
    /** Sends a form, and answers the path that it leads to, without the news of what was done. */
    async send(path: string, fields: Fields | FormData = {}): Promise<string> {
      const answer = await fetch(`${url}/${service}/${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, origin: url },
        body: fields instanceof FormData ? fields : new URLSearchParams(fields),
      });
      if (answer.status !== 303)
        throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      const { pathname } = new URL(answer.headers.get('location') ?? '', url);
      return pathname.replace(`/${service}/`, '');
    },
  };
}

/** A file as a form sends it. */
export const fileOf = (name: string, type: string, content: Buffer | string): File =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type });
