import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run } from './programs.ts';

/** An authority of nobody else's, with its list of revoked certificates at an address. */
export type Authority = {
  /** The root, in PEM. */
  readonly root: string;
  /** Writes the certificate and key of a person with a CPF, as a PKCS#12 file. */
  readonly issueHolder: (path: string, name: string, cpf: string, pin: string) => Promise<void>;
  /** Writes `cert.pem` and `key.pem` of a server at localhost. */
  readonly issueServer: (folder: string) => Promise<void>;
  readonly close: () => void;
};

// ICP-Brasil, DOC-ICP-04: the otherName of a person has the day of birth, then the CPF, NIS, RG and its issuer.
const OTHER_NAME = '2.16.76.1.3.1';

/** Makes an authority with OpenSSL, in a folder. */
export async function startAuthority(folder: string): Promise<Authority> {
  const at = (name: string) => join(folder, name);
  let list = Buffer.alloc(0);
  const server = createServer((_, response) => response.end(list)).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = `http://localhost:${(server.address() as AddressInfo).port}/root.crl`;

  writeFileSync(at('index.txt'), '');
  writeFileSync(
    at('openssl.cnf'),
    `[req]\ndistinguished_name = dn\nprompt = no\n[dn]\nCN = Outside Root\n[root]\nbasicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign, cRLSign\nsubjectKeyIdentifier = hash\n[ca]\ndefault_ca = own\n[own]\ndatabase = ${at('index.txt')}\ndefault_md = sha256\ndefault_crl_days = 7\n`,
  );
  await run(
    `cd '${folder}'
    openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 30 -config openssl.cnf -extensions root -keyout root.key -out root.pem
    openssl ca -gencrl -config openssl.cnf -keyfile root.key -cert root.pem -out root.crl.pem
    openssl crl -in root.crl.pem -outform DER -out root.crl`,
  );
  list = readFileSync(at('root.crl'));

  const issue = async (name: string, subject: string, extensions: string) => {
    writeFileSync(
      at(`${name}.cnf`),
      `basicConstraints = CA:FALSE\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\ncrlDistributionPoints = URI:${address}\n${extensions}`,
    );
    await run(
      `cd '${folder}'
      openssl req -newkey rsa:2048 -nodes -subj '${subject}' -keyout '${name}.key' -out '${name}.csr'
      openssl x509 -req -sha256 -days 29 -in '${name}.csr' -CA root.pem -CAkey root.key -CAcreateserial -extfile '${name}.cnf' -out '${name}.pem'`,
    );
  };
  return {
    root: at('root.pem'),
    issueHolder: async (path, name, cpf, pin) => {
      const other = `01011980${cpf}${'0'.repeat(32)}`;
      await issue(
        cpf,
        `/C=BR/O=ICP-Brasil/CN=${name}:${cpf}`,
        `keyUsage = critical, digitalSignature, nonRepudiation, keyEncipherment\nextendedKeyUsage = clientAuth, emailProtection\nsubjectAltName = otherName:${OTHER_NAME};PRINTABLESTRING:${other}, email:${cpf}@outside.example\n`,
      );
      await run(
        `cd '${folder}' && openssl pkcs12 -export -inkey '${cpf}.key' -in '${cpf}.pem' -certfile root.pem -passout 'pass:${pin}' -out '${path}'`,
      );
    },
    issueServer: async (to) => {
      await issue(
        'server',
        '/CN=localhost',
        'keyUsage = critical, digitalSignature, keyEncipherment\nextendedKeyUsage = serverAuth\nsubjectAltName = DNS:localhost, IP:127.0.0.1\n',
      );
      await run(`cp '${at('server.pem')}' '${to}/cert.pem' && cp '${at('server.key')}' '${to}/key.pem'`);
    },
    close: () => void server.close(),
  };
}
