const TIMEOUT_MS = 30_000; // the PKI core may have to fetch revocation lists

/** A refusal of the PKI core, with a code to branch on. */
export class PkiRefusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The two calls of a login. The key stays on this server, out of the browser. */
export function pkiAt({ url, key, securityContextId }) {
  const post = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const json = await answer.json();
    if (!answer.ok) throw new PkiRefusal(json.code ?? json.exceptionCode, json.message);
    return json;
  };
  return {
    prepare: () => post('/api/v2/authentication', { securityContextId }),
    complete: (proof) => post('/api/v2/authentication/completion', proof),
  };
}
