import '../../../../../shared/ui/browser/certificate-log-in.ts';
