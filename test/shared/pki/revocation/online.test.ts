import type { IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  authorityInfoAccessOf,
  crlDistributionPointsOf,
  extendedKeyUsageOf,
  ocspNoCheckOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { issueOcspRefusal } from '../../../../functions/sandbox/authority/domain/issuing/ocsp.ts';
import { children, readDer } from '../../../../shared/der/read.ts';
import { explicit, integer, oid, sequence, setOf } from '../../../../shared/der/write.ts';
import { createGuardedFetch } from '../../../../shared/net/guarded.ts';
import { EXTENSION } from '../../../../shared/pki/extensions/extensions.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import {
  type CachedAnswer,
  memoryCache,
  type RevocationCache,
} from '../../../../shared/pki/revocation/cache/cache.ts';
import { onlineSource } from '../../../../shared/pki/revocation/online-source.ts';
import type { Judgement } from '../../../../shared/pki/verdict/judgement.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import { extension } from '../../../certificates/odd-certificates.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { startServer } from '../../net/a-server.ts';
import { authority, authorityExtensions, holder, root } from '../path/chain.ts';
import { HOUR_MS, makeCrl, NOW_MS, uriName } from './make-crl.ts';
import { makeOcsp, type OcspShape } from './make-ocsp.ts';

type Answer = Buffer | number | 'nothing';
type Respond = (request: IncomingMessage, body: Buffer) => Answer;

let nowMs = NOW_MS;
const places = new Map<string, Respond>();
const asked: string[] = [];
const fetch = createGuardedFetch();

const server = await startServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const path = request.url ?? '';
  asked.push(path);
  const answer = places.get(path)?.(request, body) ?? 404;
  if (answer === 'nothing') return;
  if (typeof answer === 'number') response.writeHead(answer).end();
  else response.end(answer);
});
afterAll(async () => {
  await fetch.close();
  await server.stop();
});
beforeEach(() => {
  nowMs = NOW_MS;
  places.clear();
  asked.length = 0;
});

const at = (path: string): string => server.url + path;
const publish = (path: string, answer: Answer | Respond): void => {
  places.set(path, typeof answer === 'function' ? answer : () => answer);
};

const issuer = authority('Issuer');
const listed = () =>
  holder('Listed', { extensions: [crlDistributionPointsOf([at('/a.crl'), at('/b.crl')])] }, issuer);

const newSource = (cache: RevocationCache = memoryCache(), timeoutMs = 2_000) =>
  onlineSource({ fetch, cache, timeoutMs, allowPrivateAddresses: true, now: () => nowMs });

const judged = (of: Holder, source = newSource(), more: Partial<Judgement> = {}) =>
  judge(of.certificate, {
    anchors: [root().certificate],
    intermediates: of.chain,
    crls: [makeCrl(root(), { nextUpdateMs: NOW_MS + 1_000 * HOUR_MS })],
    source,
    atMs: nowMs,
    now: () => nowMs,
    ...more,
  });

describe('a revocation list', () => {
  test('is fetched from where the certificate says, in DER or PEM', async () => {
    publish('/a.crl', makeCrl(issuer));
    expect((await judged(listed())).status).toBe('ACTIVE');
    publish('/a.crl', Buffer.from(writePem('X509 CRL', makeCrl(issuer))));
    expect((await judged(listed())).status).toBe('ACTIVE');
    const of = listed();
    publish('/a.crl', makeCrl(issuer, { revoked: [{ certificate: of.certificate }] }));
    expect((await judged(of)).status).toBe('REVOKED');
  });

  test('is fetched from another of its places when the first does not answer', async () => {
    const names = [
      uriName('ldap://ldap.example/cn=list'),
      uriName(at('/gone.crl')),
      uriName(at('/there.crl')),
    ];
    const points = extension(
      EXTENSION.crlDistributionPoints,
      sequence(sequence(explicit(0, explicit(0, ...names)))),
    );
    publish('/there.crl', makeCrl(issuer));
    expect((await judged(holder('Both', { extensions: [points] }, issuer))).status).toBe('ACTIVE');
    expect(asked).toEqual(['/gone.crl', '/there.crl']);
  });

  test('is fetched again once when the server stumbles', async () => {
    let times = 0;
    publish('/a.crl', () => (times++ === 0 ? 503 : makeCrl(issuer)));
    expect((await judged(listed())).status).toBe('ACTIVE');
    expect(times).toBe(2);
  });

  test('is not fetched again until newer is due', async () => {
    const source = newSource();
    publish('/a.crl', makeCrl(issuer));
    await judged(listed(), source);
    nowMs = NOW_MS + HOUR_MS - 1;
    expect((await judged(listed(), source)).status).toBe('ACTIVE');
    expect(asked).toEqual(['/a.crl']);
    nowMs = NOW_MS + HOUR_MS;
    publish('/a.crl', makeCrl(issuer, { thisUpdateMs: nowMs, nextUpdateMs: nowMs + HOUR_MS }));
    expect((await judged(listed(), source)).status).toBe('ACTIVE');
    expect(asked).toEqual(['/a.crl', '/a.crl']);
  });

  test('is fetched once for all who ask at the same time', async () => {
    const source = newSource();
    publish('/a.crl', makeCrl(issuer));
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => judged(listed(), source)));
    expect(verdicts.map(({ status }) => status)).toEqual(Array(5).fill('ACTIVE'));
    expect(asked).toEqual(['/a.crl']);
  });

  test('past its time stands in within the grace while the server is away, and no longer', async () => {
    const source = newSource();
    publish('/a.crl', makeCrl(issuer));
    await judged(listed(), source);
    places.clear();
    nowMs = NOW_MS + 2 * HOUR_MS;
    expect((await judged(listed(), source, { graceMs: HOUR_MS })).status).toBe('ACTIVE');
    expect((await judged(listed(), source)).status).toBe('STALE');
    nowMs += 1;
    expect((await judged(listed(), source, { graceMs: HOUR_MS })).status).toBe('STALE');
  });

  test('that cannot be had is not asked for by everyone who waits', async () => {
    const source = newSource();
    const { status, results } = await judged(listed(), source);
    expect(status).toBe('STALE');
    expect(JSON.stringify(results)).toContain('answers with status 404');
    await judged(listed(), source);
    expect(asked).toEqual(['/a.crl', '/b.crl']);
    nowMs += 30_000;
    publish('/a.crl', makeCrl(issuer));
    expect((await judged(listed(), source)).status).toBe('ACTIVE');
  });

  test('that never comes is given up', async () => {
    publish('/a.crl', 'nothing');
    publish('/b.crl', 'nothing');
    const { status, results } = await judged(listed(), newSource(memoryCache(), 200));
    expect(status).toBe('STALE');
    expect(JSON.stringify(results)).toContain('did not answer within');
  });

  test('that somebody else signed is neither believed nor kept', async () => {
    const source = newSource();
    const forged = makeCrl(
      { ...issuer, privateKey: root().privateKey },
      { nextUpdateMs: NOW_MS + 100 * HOUR_MS },
    );
    publish('/a.crl', forged);
    expect((await judged(listed(), source)).status).toBe('STALE');
    publish('/a.crl', makeCrl(issuer));
    expect((await judged(listed(), source)).status).toBe('ACTIVE');
  });

  test('that is older than the one before does not replace it', async () => {
    const source = newSource();
    const of = listed();
    publish(
      '/a.crl',
      makeCrl(issuer, { revoked: [{ certificate: of.certificate, reason: 'certificateHold' }] }),
    );
    expect((await judged(of, source)).status).toBe('REVOKED');
    nowMs = NOW_MS + 2 * HOUR_MS;
    publish(
      '/a.crl',
      makeCrl(issuer, { thisUpdateMs: NOW_MS - 2 * HOUR_MS, nextUpdateMs: NOW_MS + 9 * HOUR_MS }),
    );
    expect((await judged(of, source, { graceMs: 9 * HOUR_MS })).status).toBe('REVOKED');
  });

  describe('from the future', () => {
    const ahead = { thisUpdateMs: NOW_MS + 72 * HOUR_MS, nextUpdateMs: NOW_MS + 73 * HOUR_MS };

    test('is neither believed nor kept: the right one replaces it', async () => {
      const cache = memoryCache();
      const source = newSource(cache);
      publish('/a.crl', makeCrl(issuer, ahead));
      const { status, results } = await judged(listed(), source);
      expect(status).toBe('STALE');
      expect(JSON.stringify(results)).toContain('dated in the future');
      publish('/a.crl', makeCrl(issuer));
      // By this process after its pause, and by another one at once.
      expect((await judged(listed(), newSource(cache))).status).toBe('ACTIVE');
      nowMs += 30_000;
      expect((await judged(listed(), source)).status).toBe('ACTIVE');
    });

    test('that is kept already, from before the clock was set back, is replaced', async () => {
      const cache = memoryCache();
      nowMs = NOW_MS + 72 * HOUR_MS;
      publish('/a.crl', makeCrl(issuer, ahead));
      await judged(listed(), newSource(cache));
      nowMs = NOW_MS;
      publish('/a.crl', makeCrl(issuer));
      expect((await judged(listed(), newSource(cache))).status).toBe('ACTIVE');
      expect(asked).toEqual(['/a.crl', '/a.crl']);
    });

    test('does not take the place of one that is past its time, within the grace', async () => {
      const source = newSource();
      publish('/a.crl', makeCrl(issuer));
      await judged(listed(), source);
      nowMs = NOW_MS + 2 * HOUR_MS;
      publish('/a.crl', makeCrl(issuer, ahead));
      expect((await judged(listed(), source, { graceMs: HOUR_MS })).status).toBe('ACTIVE');
    });
  });

  test('goes with a delta list from where the certificate says', async () => {
    const point = sequence(explicit(0, explicit(0, uriName(at('/delta.crl')))));
    const extensions = [
      crlDistributionPointsOf([at('/a.crl')]),
      extension(EXTENSION.freshestCrl, sequence(point)),
    ];
    const of = holder('Delta', { extensions }, issuer);
    publish('/a.crl', makeCrl(issuer, { number: 10 }));
    publish(
      '/delta.crl',
      makeCrl(issuer, { number: 11, baseNumber: 10, revoked: [{ certificate: of.certificate }] }),
    );
    expect((await judged(of)).status).toBe('REVOKED');
  });

  test('is fetched from no private machine unless that is allowed', async () => {
    publish('/a.crl', makeCrl(issuer));
    const guarded = onlineSource({ fetch, cache: memoryCache(), timeoutMs: 2_000, now: () => nowMs });
    const { status, results } = await judged(listed(), guarded);
    expect(status).toBe('STALE');
    expect(JSON.stringify(results)).toContain('not on the public internet');
    expect(asked).toEqual([]);
  });

  test('is had without the cache when that fails, and the failure is told', async () => {
    const told: unknown[] = [];
    const away = (): Promise<never> => Promise.reject(new Error('The table is away.'));
    const cache = { get: away, put: away };
    publish('/a.crl', makeCrl(issuer));
    const options = { fetch, cache, timeoutMs: 2_000, allowPrivateAddresses: true, now: () => nowMs };
    const source = onlineSource({ ...options, onCacheFailure: (error) => told.push(error) });
    expect((await judged(listed(), source)).status).toBe('ACTIVE');
    expect(told).toHaveLength(2);
  });
});

describe('an OCSP responder', () => {
  const responder = holder(
    'Responder',
    { extensions: [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf()] },
    issuer,
  );
  const answering = () =>
    holder('Answered', { extensions: [authorityInfoAccessOf({ ocsp: [at('/ocsp')] })] }, issuer);
  const answer = (of: Holder, more: Partial<OcspShape> = {}): Buffer =>
    makeOcsp({ certificate: of.certificate, issuer: issuer.certificate, signer: responder, ...more });
  // OCSPRequest > tbsRequest > [2] > extensions > nonce > value
  const nonceIn = (request: Buffer): Buffer => {
    const [tbs] = children(readDer(request));
    const [, wrapped] = children(tbs ?? readDer(request));
    const [nonce] = children(children(wrapped ?? readDer(request))[0] ?? readDer(request));
    return readDer(children(nonce ?? readDer(request))[1]?.content ?? Buffer.alloc(0)).content;
  };

  test('is asked with a nonce, which it may repeat', async () => {
    const of = answering();
    publish('/ocsp', ({ method, headers }, body) => {
      expect([method, headers['content-type']]).toEqual(['POST', 'application/ocsp-request']);
      expect(nonceIn(body)).toHaveLength(16);
      return answer(of, { nonce: nonceIn(body) });
    });
    expect((await judged(of)).status).toBe('ACTIVE');
  });

  test('is asked again only when its answer is due for renewal', async () => {
    const of = answering();
    const source = newSource();
    publish('/ocsp', answer(of));
    await judged(of, source);
    expect((await judged(of, source)).status).toBe('ACTIVE');
    expect(asked).toEqual(['/ocsp']);
  });

  test('that answers to somebody else is not kept', async () => {
    const of = answering();
    const source = newSource();
    publish('/ocsp', answer(of, { nonce: Buffer.alloc(16, 7) }));
    await judged(of, source);
    await judged(of, source);
    expect(asked).toEqual(['/ocsp', '/ocsp']);
  });

  test('that refuses leaves the word to the lists', async () => {
    const extensions = [
      authorityInfoAccessOf({ ocsp: [at('/ocsp')] }),
      crlDistributionPointsOf([at('/a.crl')]),
    ];
    const of = holder('Both ways', { extensions }, issuer);
    publish('/ocsp', issueOcspRefusal('unauthorized'));
    publish('/a.crl', makeCrl(issuer));
    expect((await judged(of)).status).toBe('ACTIVE');
    expect(asked).toEqual(['/ocsp', '/a.crl']);
  });
});

describe('issuers', () => {
  const top = authority('Top');
  const middle = () =>
    authority(
      'Middle',
      { extensions: [...authorityExtensions(), authorityInfoAccessOf({ caIssuers: [at('/top.p7b')] })] },
      top,
    );
  const of = () =>
    holder('Far', { extensions: [authorityInfoAccessOf({ caIssuers: [at('/middle.crt')] })] }, middle());
  const crls = () => [makeCrl(root()), makeCrl(top), makeCrl(middle())];
  const bundle = (...ders: Buffer[]): Buffer => {
    const signedData = sequence(
      integer(1),
      setOf(),
      sequence(oid('1.2.840.113549.1.7.1')),
      explicit(0, ...ders),
      setOf(),
    );
    return sequence(oid('1.2.840.113549.1.7.2'), explicit(0, signedData));
  };

  test('are fetched step by step, alone or in a bundle', async () => {
    const far = of();
    publish('/top.p7b', bundle(sequence(integer(1)), top.certificate.der));
    // Each call issues Middle again, so the test publishes the one that issued the holder.
    publish('/middle.crt', far.chain[0]?.der ?? 404);
    const { status, path } = await judged(far, newSource(), { intermediates: [], crls: crls() });
    expect(status).toBe('ACTIVE');
    expect(path).toHaveLength(4);
  });

  test('that are no certificates leave the chain where it ends', async () => {
    publish('/middle.crt', Buffer.from('<html>'));
    expect((await judged(of(), newSource(), { intermediates: [], crls: crls() })).status).toBe('UNTRUSTED');
  });
});

describe('the cache in memory', () => {
  const piece = (bytes: number, thisUpdateMs = 0): CachedAnswer => ({
    bytes: Buffer.alloc(bytes),
    thisUpdateMs,
    nextUpdateMs: 1,
  });

  test('drops what was used longest ago when it is full', async () => {
    const cache = memoryCache(100);
    await cache.put('a', piece(40));
    await cache.put('b', piece(40));
    await cache.get('a');
    await cache.put('c', piece(40));
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')].map(Boolean)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('replaces a piece by the one that comes after', async () => {
    const cache = memoryCache(100);
    for (let i = 0; i < 10; i++) await cache.put('a', piece(90, i));
    expect((await cache.get('a'))?.thisUpdateMs).toBe(9);
    await cache.put('b', piece(10));
    expect(await cache.get('a')).toBeDefined();
  });
});
