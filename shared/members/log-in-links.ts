import { hashSecret, isSecret, newSecret } from '../access/secrets.ts';
import { ifThrown } from '../errors/expected.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { collection, type Stored } from '../store/collection.ts';
import { RaceLost } from '../store/refusals.ts';

/** A link by which the reader of an address logs in, once. The store has the hash of its secret. */
type LogInLink = {
  readonly hash: string;
  readonly email: string;
  /** The organization to begin with: the one that invited. */
  readonly organizationId: string | null;
  readonly expiresAtMs: number;
};

export type LogInLinks = ReturnType<typeof logInLinks>;

/** The links of a service's mail by which members log in. @example const { issueLogInLink } = logInLinks('documents'); */
export function logInLinks(service: ServiceName) {
  const links = collection<LogInLink, string>({
    service,
    name: 'log-in link',
    id: ({ hash }) => hash,
    key: (hash) => ({ pk: `LOG-IN-LINK#${hash}`, sk: 'LINK' }),
    indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
  });

  /** The link of a secret that still opens. Reading it does not use it up: programs follow the links of mail too. */
  async function findLogInLink(secret: string, nowMs: number): Promise<Stored<LogInLink> | undefined> {
    const link = isSecret(secret) ? await links.get(hashSecret(secret)) : undefined;
    return link && link.expiresAtMs > nowMs ? link : undefined;
  }

  return {
    findLogInLink,

    /** Makes a link, and answers its address. */
    async issueLogInLink(link: Omit<LogInLink, 'hash'>): Promise<string> {
      const secret = newSecret();
      await links.create({ ...link, hash: hashSecret(secret) });
      const query = new URLSearchParams({ key: secret });
      return `${commonSettings['Http:PublicUrl']}/${service}/login/link?${query}`;
    },

    // A link that is used twice:
    //
    //   browser 1  |--reads------ deletes --|--session--
    //   browser 2     |--reads------ refused: the item is gone

    /** Takes a link, once. Undefined for one that was used, is over or was never given out. */
    async takeLogInLink(secret: string, nowMs: number): Promise<LogInLink | undefined> {
      const link = await findLogInLink(secret, nowMs);
      return link && links.delete(link).then(() => link, ifThrown(RaceLost));
    },
  };
}
