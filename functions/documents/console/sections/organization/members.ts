import { membersSection } from '../../../../../shared/console/members/members.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { MemberChange, MemberRequest } from '../../../contract/organization/members.ts';
import { memberChanges } from '../../../domain/members/members.ts';
import { mayDo, ROLES } from '../../../domain/members/permissions.ts';
import { sessions } from '../../../domain/members/sessions.ts';
import { consolePath } from '../../pages/frame.ts';
import { leadTo, memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import { roleWords } from '../../pages/role-words.ts';
import { tabs, tabTitle } from './tabs.ts';

const words = translations({
  removeMeans: {
    en: 'This person is logged out at once, and cannot log in for this organization any more. Documents stay.',
    'pt-BR': 'A pessoa sai na hora e não entra mais por esta organização. Os documentos ficam.',
  },
  leaveMeans: {
    en: 'You are logged out at once. To come back, an owner has to invite you again.',
    'pt-BR': 'Você sai na hora. Para voltar, um proprietário precisa convidar você de novo.',
  },
  Owner: {
    en: 'Owner: everything, members included',
    'pt-BR': 'Proprietário: tudo, inclusive as pessoas',
  },
  Manager: {
    en: 'Manager: everything but members',
    'pt-BR': 'Gestor: tudo, menos as pessoas',
  },
  Member: {
    en: 'Member: sends documents and follows them',
    'pt-BR': 'Membro: envia e acompanha documentos',
  },
  Reader: { en: 'Reader: looks at documents', 'pt-BR': 'Leitor: vê os documentos' },
});

export const members = membersSection({
  service: 'documents',
  consolePath,
  pages: { memberPage, leadTo },
  tabs: { tabs, tabTitle },
  refusalText,
  operations: memberChanges,
  sessions,
  contract: { request: MemberRequest, change: MemberChange },
  roles: ROLES,
  usualRole: 'Member',
  roleNames: roleWords,
  words,
  // A personal organization is one person.
  mayChange: ({ member, organization }) =>
    mayDo(member.role, 'members.change') && organization.identifier !== null,
});
