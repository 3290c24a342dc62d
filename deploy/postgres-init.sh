#!/bin/sh
# Creates the user and the database of the service, once, when the Postgres image creates its data directory.
# The user can create the API roles and is not a superuser. psql quotes the password, so it can contain any character.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$LANTERNROCK_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role lanternrock login createrole password :'password';
create database lanternrock owner lanternrock;
SQL
