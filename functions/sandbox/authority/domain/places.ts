import type { IssuerName } from './holders.ts';
import type { Places } from './issuing/profiles.ts';

// The discard port: nothing listens there, and the refusal is immediate, where a name that does not
// exist would be asked of the network's name servers.
const NOWHERE = 'http://localhost:9';

/** Where an authority publishes, under the root address of the engine. @example placesOf('root', 'http://localhost:3000') */
export function placesOf(issuer: IssuerName, address: string): Places {
  const folder = `${address}/sandbox/pki`;
  const status = issuer === 'unreachable' ? `${NOWHERE}/sandbox/pki` : folder;
  return {
    crl: [`${status}/${issuer}.crl`],
    // As in ICP-Brasil, authorities publish lists, and only those that issue to holders answer OCSP too.
    ocsp: issuer === 'intermediate' || issuer === 'unreachable' ? [`${status}/ocsp`] : [],
    caIssuers: [`${folder}/${issuer}.crt`],
  };
}
