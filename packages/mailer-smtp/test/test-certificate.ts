/**
 * A self-signed certificate for localhost and its key, for tests only. Both are public and protect nothing: no
 * software trusts them, and they must never be used elsewhere. Valid for a hundred years.
 */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUOpBsu/k9PYdVxvlKcHcLTRxHfBgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2MjEwOVoYDzIxMjYxMDI4
MDYyMTA5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATrTvTsJA8sfLLrJS+ROTqZnnPxj3/q73RjWFVeHkR2WXxLw47dJCmu
C0yPeryo1nbxLhLGZj/3+B4uDdCMKGvpo28wbTAdBgNVHQ4EFgQUVN8R+/gkpaKZ
q3sCEHUuNb7kdTcwHwYDVR0jBBgwFoAUVN8R+/gkpaKZq3sCEHUuNb7kdTcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAOUbWhDlD7PVxjcNx+IlJAp101Emu+x5GC/GnXPEU+kzAiAz
ZacGn+ehiP0X8JDaYueBadGNXUavJ+wROf3YdukjdA==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4opb7CAyWpizi48x
lmi4ttYuDAu7LzHWxlFhvlnUnj+hRANCAATrTvTsJA8sfLLrJS+ROTqZnnPxj3/q
73RjWFVeHkR2WXxLw47dJCmuC0yPeryo1nbxLhLGZj/3+B4uDdCMKGvp
-----END PRIVATE KEY-----`,
};
