"""What Moodle calls the columns of its exports, in English and in Russian, in small letters."""

from __future__ import annotations

IDENTIFIER = ("identifier", "идентификатор")
ID_NUMBER = ("id number", "idnumber", "индивидуальный номер")
EMAIL = ("email address", "email", "адрес электронной почты", "e-mail")
FULL_NAME = ("full name", "полное имя")
