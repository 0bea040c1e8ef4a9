export const USAGE = `Administration: client applications and their keys.

  npm run admin -- apps create NAME --service SERVICE [--permission P ...]
  npm run admin -- apps list --service SERVICE
  npm run admin -- apps disable NAME --service SERVICE
  npm run admin -- apps enable NAME --service SERVICE
  npm run admin -- apps register NAME KIND VALUE --service SERVICE
  npm run admin -- apps unregister NAME KIND VALUE --service SERVICE
  npm run admin -- keys issue NAME --service SERVICE [--expires WHEN]
  npm run admin -- keys list NAME --service SERVICE
  npm run admin -- keys revoke NAME KEY --service SERVICE
  npm run admin -- keys expire NAME KEY --service SERVICE [--expires WHEN]

SERVICE   session, hub, pki, documents or credentials. Repeat it to act on several.
          The batch services take one key, from their setting Auth:ApiKey.
KIND      what an operator vouches for: redirectUris (hub), returnUrls and trustedOrigins (pki),
          organizations (documents).
P         a permission of the pki service, or * for all (the default).
WHEN      a moment (2027-01-31T00:00:00Z), a day (2027-01-31) or a number of days (90d). Left out, an issued
          key does not expire, and keys expire means now.
KEY       a key's id as keys list shows it; its first characters are enough.

--stage STAGE   local by default: the engine that runs on this machine. Any other: the AWS account
                that is configured.
--data DIR      the engine's data folder, .local by default.
`;
