export const USAGE = `The workstation agent: holds a certificate for a signing session server.

  sinete-agent enrol --server URL --code CODE [--name NAME] [--data DIR]
  sinete-agent run --p12 FILE [options]
  sinete-agent run --pkcs11 MODULE [--token LABEL | --slot N] [options]
  sinete-agent status [--data DIR]

In the repository: npm run agent -- enrol … Without a word, npm run agent is the agent of the sandbox's holder, with the
engine that npm start runs; npm run agent -- --data DIR for one that was started with --data DIR.

Enrol
  --server URL     the base URL of the session server, such as https://sign.example/session
  --code CODE      from its operator: npm run admin -- agents code
  --name NAME      how the operator knows this workstation; the machine's name by default

Run
  --p12 FILE       the certificate and its key are in this PKCS#12 file
  --pkcs11 MODULE  they are in a token; the path of its PKCS#11 module
  --token LABEL    which token, where several are in
  --slot N         the same by its slot
  --idle SECONDS   how long a PIN that is not used stays in memory; 8 hours by default
  --page-port N    the port of the holder's page, on this machine only; any that is free by default
  --no-page        no page: the holder is asked in the terminal, if there is one
  --no-open        does not open the page in a browser when something is asked and there is no terminal

  --data DIR       where the agent's own keys are; ~/.sinete-agent by default
`;
