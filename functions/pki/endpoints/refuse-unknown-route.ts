import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { pki } from '../service.ts';

export const handler = pki.refuseUnknownRoute(unknownRoutePage());
