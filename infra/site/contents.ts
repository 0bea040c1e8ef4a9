import type { Language } from '../../shared/ui/languages.ts';

export type Group = {
  readonly id: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Markdown files of the repository, in the order of a reader who begins. */
  readonly files: readonly string[];
};

const docs = (...names: readonly string[]): string[] => names.map((name) => `docs/${name}.md`);
const services = (...names: readonly string[]): string[] =>
  names.map((name) => `functions/${name}/README.md`);

/** Every page of the site, once, by who reads it. */
export const CONTENTS: readonly Group[] = [
  {
    id: 'start',
    title: { en: 'Start', 'pt-BR': 'Começar' },
    files: [
      'README.md',
      ...docs('local-engine', 'sandbox', 'errors', 'limits', 'webhooks', 'clients', 'public-clients'),
      'clients/typescript/README.md',
      'examples/README.md',
      ...services('sandbox'),
    ],
  },
  {
    id: 'send',
    title: { en: 'Send documents', 'pt-BR': 'Enviar documentos' },
    files: [
      ...docs('documents', 'console', 'electronic-signatures', 'embedding', 'branding', 'mail'),
      ...services('documents'),
      'examples/two-signers/README.md',
      'examples/receive-webhooks/README.md',
      'examples/embedded-signing/README.md',
    ],
  },
  {
    id: 'sign',
    title: { en: 'Sign and verify', 'pt-BR': 'Assinar e verificar' },
    files: [
      ...docs('sessions', 'hub', 'signature-sessions', 'signers', 'signing', 'verification'),
      ...docs('agent', 'cloud-providers', 'authentication', 'biometrics'),
      ...services('session', 'hub', 'pki'),
      'examples/cloud-signature/README.md',
      'examples/certificate-login/README.md',
      'examples/verify-folder/README.md',
    ],
  },
  {
    id: 'batch',
    title: { en: 'Sign in bulk', 'pt-BR': 'Assinar em lote' },
    files: [
      ...docs('batch', 'folders', 'profiles', 'approvals', 'cnab240', 'external-signer', 'shares'),
      ...docs('operators', 'compact', 'cluster', 'backup'),
      ...services('batch', 'compact'),
      'examples/sign-folder/README.md',
    ],
  },
  {
    id: 'credentials',
    title: { en: 'Issue credentials', 'pt-BR': 'Emitir diplomas' },
    files: [
      ...docs('credentials', 'registrar', 'restamps'),
      ...services('credentials'),
      'examples/issued-degree/README.md',
    ],
  },
  {
    id: 'operate',
    title: { en: 'Operate', 'pt-BR': 'Operar' },
    files: [
      ...docs('self-hosting', 'aws', 'operations', 'administration', 'settings', 'localstack'),
      'SECURITY.md',
    ],
  },
  {
    id: 'develop',
    title: { en: 'Develop Sinete', 'pt-BR': 'Desenvolver o Sinete' },
    files: [
      'CONTRIBUTING.md',
      ...docs('architecture', 'serverless-offline', 'libraries', 'guards'),
      'test/bench/RESULTS.md',
      'CHANGELOG.md',
    ],
  },
];

/**
 * The address of a page below /docs, the same in every language.
 * @example idOf('docs/pt-BR/webhooks.md') // 'webhooks'
 *          idOf('functions/hub/README.md') // 'services/hub'
 */
export const idOf = (file: string): string =>
  file
    .replace(/^docs\/(pt-BR\/)?/, '')
    .replace(/^functions\//, 'services/')
    .replace(/^test\//, '')
    .replace(/\/README(\.pt-BR)?\.md$/, '')
    .replace(/(\.pt-BR)?\.md$/, '')
    .toLowerCase();

/** Where the translation of a page is, if there is one. @example translationOf('README.md') // 'README.pt-BR.md' */
export const translationOf = (file: string): string =>
  file.startsWith('docs/') ? file.replace('docs/', 'docs/pt-BR/') : file.replace(/\.md$/, '.pt-BR.md');
