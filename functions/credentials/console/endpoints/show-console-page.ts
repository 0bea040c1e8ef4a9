import { showPageEndpoint } from '../../../../shared/console/console-endpoints.ts';
import { credentials } from '../../service.ts';
import { consoleRules } from '../http/member-visit.ts';
import { SECTIONS } from '../routes.ts';

export const handler = showPageEndpoint(credentials, { ...consoleRules, sections: SECTIONS });
