/** How the sender of events is known, as the webhook was registered. */
export type Registered = {
  readonly authType: 'NoAuth' | 'Basic' | 'Bearer' | 'ApiKey';
  /** As registered: for Basic the base64 of user:password, for Bearer without the word. */
  readonly token?: string | undefined;
  /** The `whsec_…` that deliveries are signed with, where the webhook has one. */
  readonly secret?: string | undefined;
};

/** A header of the request by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined;

/** Checks the headers of a request; the signature with the bytes of its body. */
export type Checks = {
  readonly hasToken: (header: HeaderOf) => Promise<boolean>;
  readonly hasSignature: (header: HeaderOf, body: Uint8Array, nowMs: number) => Promise<boolean>;
};

// The tolerance of Standard Webhooks. Replay: a captured request is refused after this time.
const TOLERANCE_SECONDS = 300;
// There is more than one while a secret is being replaced. Each costs an HMAC.
const MAX_SIGNATURES = 10;

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const encoder = new TextEncoder();

/** Throws for a webhook that would be checked by nothing, though it says otherwise. */
export function checksOf({ authType, token = '', secret }: Registered): Checks {
  if (authType !== 'NoAuth' && token === '')
    throw new TypeError(`The token of the webhook is missing: with authType ${authType} nobody could call.`);
  const key = secret === undefined ? undefined : keyOf(secret);
  return {
    async hasToken(header) {
      if (authType === 'NoAuth') return true;
      if (authType === 'ApiKey') return isSame(header('x-api-key') ?? '', token);
      return isSame(header('authorization') ?? '', `${authType} ${token}`);
    },
    async hasSignature(header, body, nowMs) {
      if (!key) return true;
      const id = header('webhook-id') ?? '';
      const timestamp = header('webhook-timestamp') ?? '';
      const isRecent = Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
      if (!/^\d{1,12}$/.test(timestamp) || !isRecent) return false;
      const signed = concat(encoder.encode(`${id}.${timestamp}.`), body);
      const hmac = await key;
      for (const offered of (header('webhook-signature') ?? '').split(' ').slice(0, MAX_SIGNATURES)) {
        const signature = offered.startsWith('v1,') && bytesOf(offered.slice('v1,'.length));
        // Web Crypto compares in constant time.
        if (signature && (await crypto.subtle.verify(HMAC, hmac, signature, signed))) return true;
      }
      return false;
    },
  };
}

function keyOf(secret: string): Promise<Key> {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  if (!bytes?.length) throw new TypeError('The secret of the webhook is not whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
}

const BLINDING_BYTES = 32;
// Of this process alone. HMACs have one length, so the time of a comparison does not show where the texts differ.
let blinding: Promise<Key> | undefined;

async function isSame(offered: string, expected: string): Promise<boolean> {
  const random = () => crypto.getRandomValues(new Uint8Array(BLINDING_BYTES));
  blinding ??= crypto.subtle.importKey('raw', random(), HMAC, false, ['sign', 'verify']);
  const key = await blinding;
  const right = await crypto.subtle.sign(HMAC, key, encoder.encode(expected));
  return crypto.subtle.verify(HMAC, key, right, encoder.encode(offered));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
