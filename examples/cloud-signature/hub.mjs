// Signing waits for the holder to confirm at the provider, which may take two minutes.
const MAX_WAIT_MS = 130_000;

/** A refusal of the hub: the code is for programs, the message for people. */
export class HubRefusal extends Error {
  constructor(status, code, message, options) {
    super(message, options);
    this.code = code;
    this.isCallers = status < 500;
  }
}

/** The calls of the hub that an application needs to sign. The key stays on the server, out of every page. */
export function hubAt({ url, key }) {
  const ask = async (method, path, body) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    }).catch((cause) => {
      throw new HubRefusal(502, '', 'The hub does not answer.', { cause });
    });
    const text = await answer.text();
    if (!answer.ok) throw refusalIn(answer.status, text);
    return JSON.parse(text);
  };
  const of = (session) => `session=${encodeURIComponent(session)}`;

  return {
    /** The providers with a certificate of this CPF or CNPJ, each with the address to send the holder to. */
    createSession: (wish) => ask('POST', '/sessions', { type: 'SingleSignature', ...wish }),
    customState: (session) => ask('GET', `/sessions/custom-state?${of(session)}`),
    certificate: (session) => ask('GET', `/v2/sessions/certificate?${of(session)}`),
    signHash: (session, wish) => ask('POST', '/sessions/sign-hash', { session, ...wish }),
  };
}

// 422 has a code, 400 lists fields, 401 is empty, and 500 is a short code as a JSON string.
function refusalIn(status, text) {
  const body = readJson(text);
  if (typeof body === 'string') return new HubRefusal(status, body, `The hub failed: ${body}.`);
  if (body?.code) return new HubRefusal(status, body.code, body.message);
  if (body?.errors) return new HubRefusal(status, 'Invalid', Object.entries(body.errors).flat(2).join(' '));
  return new HubRefusal(status, '', `The hub answered with status ${status}.`);
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
