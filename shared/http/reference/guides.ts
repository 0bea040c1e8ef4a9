import { tagName } from './tags.ts';

/** The page of docs/ that explains a service, and those of its tags that have one of their own. */
const GUIDES: Readonly<Record<string, Readonly<Record<string, string>> & { readonly '': string }>> = {
  session: { '': 'sessions' },
  hub: { '': 'hub', providers: 'cloud-providers' },
  pki: {
    '': 'signature-sessions',
    authentication: 'authentication',
    biometrics: 'biometrics',
    inspection: 'verification',
  },
  batch: {
    '': 'batch',
    folders: 'folders',
    approvals: 'approvals',
    profiles: 'profiles',
    signer: 'external-signer',
    operations: 'operations',
    cluster: 'cluster',
    auth: 'operators',
  },
  compact: { '': 'compact' },
  documents: {
    '': 'documents',
    members: 'console',
    applications: 'console',
    notifications: 'mail',
    verification: 'verification',
    webhooks: 'webhooks',
  },
  credentials: { '': 'credentials', restamps: 'restamps', webhooks: 'webhooks' },
};

type Guide = { readonly description: string; readonly url: string };

// Beside the contract document in the repository.
const FOLDER = '../../docs/';

/**
 * The guide of a service or of one of its tags, as a contract document refers to it.
 * @example guideOf('documents', 'webhooks') // { externalDocs: { description: 'Guide: Webhooks', url: '../../docs/webhooks.md' } }
 */
export function guideOf(service: string, tag = ''): { readonly externalDocs?: Guide } {
  const guides = GUIDES[service];
  const page = guides && (guides[tag] ?? guides['']);
  return page === undefined
    ? {}
    : { externalDocs: { description: `Guide: ${tagName(page)}`, url: `${FOLDER}${page}.md` } };
}

type Guided = { readonly externalDocs?: Guide; readonly description?: string };

/**
 * Has a document lead to the guides below an address, or to none where none are served. A tag says so in its text too, as
 * viewers show.
 * @example withGuides(document, docsUrl())
 */
export function withGuides<Document extends object>(document: Document, root: string | undefined): Document {
  const { tags, ...rest } = document as Guided & { readonly tags?: readonly Guided[] };
  return {
    ...served(rest, root),
    ...(tags && { tags: tags.map((tag) => withLink(served(tag, root))) }),
  } as Document;
}

function served({ externalDocs, ...rest }: Guided, root: string | undefined): Guided {
  if (!externalDocs || root === undefined) return rest;
  const page = externalDocs.url.slice(FOLDER.length).replace(/\.md$/, '');
  return { ...rest, externalDocs: { ...externalDocs, url: `${root}/${page}` } };
}

const withLink = (tag: Guided): Guided =>
  tag.externalDocs
    ? { ...tag, description: `${tag.description} [${tag.externalDocs.description}](${tag.externalDocs.url})` }
    : tag;
