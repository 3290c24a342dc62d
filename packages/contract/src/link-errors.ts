/** The service's word for a mailed link that it still knows and that is past its time, with code `otp_expired`. */
export const expiredLinkMessage = 'Email link has expired';
