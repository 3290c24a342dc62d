/**
 * The message of the Auth API for an expired email link whose token is still stored. The code is
 * `otp_expired`.
 */
export const expiredLinkMessage = 'Email link has expired';
