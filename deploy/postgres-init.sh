#!/bin/sh
# Creates the login and the database of the service, once, when the image of Postgres makes its data directory.
# The login may create the roles of requests and is no superuser. psql quotes the password, so any text fits.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$LANTERNROCK_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role lanternrock login createrole password :'password';
create database lanternrock owner lanternrock;
SQL
