// The shapes of the whole house, under this contract's own names.
export {
  CertificateModel,
  NameModel,
  PkiBrazilCertificateModel,
  PkiItalyCertificateModel,
  ValidationItemModel,
  ValidationResultsModel,
} from '../../shared/pki/model/contract.ts';
