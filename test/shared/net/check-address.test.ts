import { describe, expect, test, vi } from 'vitest';
import { checkAddress } from '../../../shared/net/check-address.ts';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
const PUBLIC = { address: '8.8.8.8', family: 4 };
const strict = { allowPrivateAddresses: false, resolve: async () => [PUBLIC] };

describe('an address that somebody registers', () => {
  test('is taken when it is public, by number or by name', async () => {
    await expect(checkAddress('https://8.8.8.8/hook', strict)).resolves.toBeUndefined();
    await expect(checkAddress('https://hooks.example/hook', strict)).resolves.toBeUndefined();
  });

  test.each(['ftp://example.com/', 'example.com', 'http://user@example.com/', ''])(
    'is refused for its form, private or not: %j',
    async (url) => {
      await expect(checkAddress(url, strict)).rejects.toMatchObject({ reason: 'bad-address' });
      await expect(checkAddress(url, { allowPrivateAddresses: true })).rejects.toMatchObject({
        reason: 'bad-address',
      });
    },
  );

  test('is refused when one of the addresses of its name is private', async () => {
    const reach = { ...strict, resolve: async () => [PUBLIC, LOOPBACK] };
    await expect(checkAddress('http://x.example/', reach)).rejects.toMatchObject({
      reason: 'private-address',
    });
  });

  test('is taken in a private network that is named, and in no other', async () => {
    const reach = { allowPrivateAddresses: ['10.20.0.0/16', 'fd12::/48'] };
    for (const url of [
      'http://10.20.3.4/',
      'http://[::ffff:10.20.3.4]/',
      'http://[fd12::1]/',
      'http://8.8.8.8/',
    ])
      await expect(checkAddress(url, reach)).resolves.toBeUndefined();
    for (const url of [
      'http://10.21.0.1/',
      'http://127.0.0.1/',
      'http://169.254.169.254/',
      'http://[fd13::1]/',
    ])
      await expect(checkAddress(url, reach)).rejects.toMatchObject({ reason: 'private-address' });
    const resolve = async () => [{ address: '10.20.0.1', family: 4 }, LOOPBACK];
    await expect(checkAddress('http://x.example/', { ...reach, resolve })).rejects.toMatchObject({
      reason: 'private-address',
    });
  });

  test('is refused when its name has no address', async () => {
    await expect(
      checkAddress('http://x.example/', { ...strict, resolve: async () => [] }),
    ).rejects.toMatchObject({
      reason: 'name-not-found',
    });
  });

  test('is refused when nobody says in time where its name leads', async () => {
    vi.useFakeTimers();
    try {
      const checked = checkAddress('http://x.example/', { ...strict, resolve: () => new Promise(() => {}) });
      const refused = expect(checked).rejects.toMatchObject({ reason: 'name-not-found' });
      await vi.advanceTimersByTimeAsync(5_000);
      await refused;
    } finally {
      vi.useRealTimers();
    }
  });

  test('is judged by its form alone where private machines may be called', async () => {
    const resolve = vi.fn();
    await checkAddress('http://10.0.0.1/', { allowPrivateAddresses: true, resolve });
    await checkAddress('http://inside.example/', { allowPrivateAddresses: true, resolve });
    expect(resolve).not.toHaveBeenCalled();
  });
});
