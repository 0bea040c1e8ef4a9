import { consoleFrame } from '../../../../shared/console/pages/frame.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import type { Draft } from '../../domain/drafts/draft.ts';
import { mayDo, type Operation, type Role } from '../../domain/members/permissions.ts';
import { brandingOf } from '../../domain/places/branding.ts';
import type { Organization } from '../../domain/places/organization.ts';

const frameWords = translations({
  service: { en: 'Documents', 'pt-BR': 'Documentos' },
  documents: { en: 'Documents', 'pt-BR': 'Documentos' },
  send: { en: 'Send', 'pt-BR': 'Enviar' },
  templates: { en: 'Templates', 'pt-BR': 'Modelos' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
});

/** The pages of the navigation bar in its order, by their paths, and who sees them there. */
const ENTRIES = {
  documents: { path: '', operation: 'documents.read' },
  send: { path: 'send', operation: 'documents.send' },
  templates: { path: 'templates', operation: 'templates.read' },
  organization: { path: 'organization', operation: 'organization.read' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly operation: Operation }>>;

export const frame = consoleFrame<Role, Operation, Organization, keyof typeof ENTRIES>({
  service: 'documents',
  entries: ENTRIES,
  words: frameWords,
  mayDo,
  brandingOf,
});
export const { consolePath, besidePath } = frame;

/** The path of the page of a draft, below `console/`. */
export const draftPath = ({ id, template }: Pick<Draft, 'id' | 'template'>): string =>
  template ? `templates/drafts/${id}` : `send/${id}`;
