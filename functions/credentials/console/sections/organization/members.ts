import { membersSection } from '../../../../../shared/console/members/members.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { MemberChange, MemberRequest } from '../../../tenants/contract.ts';
import { memberChanges } from '../../../tenants/domain/members/members.ts';
import { mayDo } from '../../../tenants/domain/members/permissions.ts';
import { sessions } from '../../../tenants/domain/members/sessions.ts';
import { ROLES } from '../../../tenants/roles.ts';
import { consolePath } from '../../pages/frame.ts';
import { leadTo, memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import { roleWords } from '../../pages/role-words.ts';
import { tabs, tabTitle } from './tabs.ts';

const words = translations({
  removeMeans: {
    en: 'This person is logged out at once, and cannot log in for this organization any more. Credentials stay.',
    'pt-BR': 'A pessoa sai na hora e não entra mais por esta organização. As credenciais ficam.',
  },
  leaveMeans: {
    en: 'You are logged out at once. To come back, an administrator has to invite you again.',
    'pt-BR': 'Você sai na hora. Para voltar, um administrador precisa convidar você de novo.',
  },
  Administrador: {
    en: 'Administrator: everything, members, webhooks and signers included',
    'pt-BR': 'Administrador: tudo, inclusive pessoas, webhooks e quem assina',
  },
  Registrar: {
    en: 'Registrar: creates credentials and acts on them',
    'pt-BR': 'Registrador: cria credenciais e age sobre elas',
  },
  Reader: { en: 'Reader: looks at credentials', 'pt-BR': 'Leitor: vê as credenciais' },
});

export const members = membersSection({
  service: 'credentials',
  consolePath,
  pages: { memberPage, leadTo },
  tabs: { tabs, tabTitle },
  refusalText,
  operations: memberChanges,
  sessions,
  contract: { request: MemberRequest, change: MemberChange },
  roles: ROLES,
  usualRole: 'Registrar',
  roleNames: roleWords,
  words,
  mayChange: ({ member }) => mayDo(member.role, 'members.change'),
});
